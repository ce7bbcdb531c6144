/** A Korean particle depends on the final sound of the spoken word before it, also where that word is written as a number or a unit. */
export type Particle = '은/는' | '이/가' | '을/를' | '과/와' | '으로/로';

type Final = 'none' | 'rieul' | 'other';

const DIGIT_FINALS: readonly Final[] = ['other', 'rieul', 'none', 'other', 'none', 'none', 'other', 'rieul', 'rieul', 'none'];
const LETTER_FINALS: Record<string, Final> = { l: 'rieul', r: 'rieul', m: 'other', n: 'other' };
// 밀리미터, 미터, 킬로미터, 퍼센트, 인치 all end in a vowel.
const UNIT = /(?:mm|km\/h|km|m|%)$/;

function finalOf(text: string): Final {
  const spoken = text
    .replace(/\([^)]*\)$/, '')
    .replace(/["'”’]$/, '')
    .trimEnd();
  if (/\d/.test(spoken) && UNIT.test(spoken)) return 'none';
  const last = spoken.at(-1) ?? '';
  if (/\d/.test(last)) return finalOfNumber(spoken);
  const code = last.charCodeAt(0) - 0xac00;
  if (code < 0 || code > 11171) return LETTER_FINALS[last.toLowerCase()] ?? 'none';
  const jong = code % 28;
  return jong === 0 ? 'none' : jong === 8 ? 'rieul' : 'other';
}

/** 10 ends in 십, 100 in 백, 1000 in 천, 10000 in 만: all closed. 3.0 is read 삼 점 영. */
const finalOfNumber = (text: string): Final => DIGIT_FINALS[Number(text.at(-1))]!;

export function withParticle(text: string, particle: Particle): string {
  const [closed, open] = particle.split('/') as [string, string];
  const final = finalOf(text);
  const useOpen = final === 'none' || (particle === '으로/로' && final === 'rieul');
  return text + (useOpen ? open : closed);
}
