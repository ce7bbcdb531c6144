import type { OtherLanguage, ShownPartner } from '../page/document/partner-band';
import { ENGLISH } from '../page/words/words-en';
import { KOREAN } from '../page/words/words-ko';
import sharp from 'sharp';

/** A logo as assets makes it: on white. */
const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="#fff"/>
<circle cx="50" cy="50" r="40" fill="none" stroke="#1b4f9c" stroke-width="16"/><circle cx="50" cy="50" r="12" fill="#1b4f9c"/>
<path d="M115 28h60v14h-22v44h-16V42h-22zM190 28h16v58h-16zM222 28h58v14h-42v9h34v13h-34v8h42v14h-58z" fill="#1b4f9c"/></svg>`;
export const LOGO = { widthPx: 300, heightPx: 100 };

export const logoPng = (): Promise<Buffer> => sharp(Buffer.from(LOGO_SVG)).png({ palette: true }).toBuffer();

/** A partner with every setting. */
export const partnerFixture = (logoUrl: string): ShownPartner => ({
  name: '한빛 타이어 & 휠 얼라인먼트 강남점',
  phone: '02-123-4567',
  address: '서울특별시 강남구 테헤란로 123',
  openingHours: '평일 09:00~19:00\n토요일 09:00~15:00',
  logo: { url: logoUrl, ...LOGO },
});

export const otherLanguage = (locale: string, address: string): OtherLanguage[] =>
  [KOREAN, ENGLISH].filter((words) => words.locale !== locale).map((words) => ({ words, url: `${address}?lang=${words.language}` }));
