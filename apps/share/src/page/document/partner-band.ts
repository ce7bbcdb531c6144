import { telephoneAddress } from '../../domain/partner';
import { html, type Html } from './html';
import type { Words } from '../words/words';

/** The partner as a page shows it. Parts that are not set are null. */
export interface ShownPartner {
  readonly name: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  /** With line breaks. */
  readonly openingHours: string | null;
  readonly logo: { readonly url: string; readonly widthPx: number; readonly heightPx: number } | null;
}

/** The same page in another language. */
export interface OtherLanguage {
  readonly words: Pick<Words, 'language' | 'languageName'>;
  readonly url: string;
}

/** The band above the report: the partner and the links to other languages. Null where there is neither. */
export function partnerBand(words: Words, partner: ShownPartner | null, others: readonly OtherLanguage[]): Html | null {
  const isShown = partner !== null && (partner.name ?? partner.phone ?? partner.address ?? partner.openingHours ?? partner.logo) !== null;
  if (!isShown && others.length === 0) return null;
  return html`<div class="band">
    ${isShown && html`<p class="partner">${logo(words, partner)} ${named(words, partner)}</p>`}
    ${others.map(
      ({ words: { language, languageName }, url }) =>
        html`<p class="other"><a href="${url}" hreflang="${language}" lang="${language}">${languageName}</a></p>`,
    )}
  </div>`;
}

function logo(words: Words, { name, logo: image }: ShownPartner): Html | null {
  if (image === null) return null;
  return html`<img src="${image.url}" width="${image.widthPx}" height="${image.heightPx}" alt="${name === null ? words.logo : ''}" />`;
}

function named(words: Words, { name, phone, address, openingHours }: ShownPartner): Html | null {
  if ((name ?? phone ?? address ?? openingHours) === null) return null;
  const hours = openingHours?.split('\n') ?? [];
  return html`<span
    >${name !== null && html`<b><bdi>${name}</bdi></b>`}
    ${phone !== null && html`<span class="phone">${words.phone} <a href="${telephoneAddress(phone)}">${phone}</a></span>`}
    ${address !== null && html`<span class="place"><bdi>${address}</bdi></span>`}
    ${hours.map((line, index) => html`<span class="place">${index === 0 && `${words.openingHours} `}<bdi>${line}</bdi></span>`)}</span
  >`;
}
