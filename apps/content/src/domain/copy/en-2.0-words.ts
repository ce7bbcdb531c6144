import type { Tires } from './copy-2.0-language';

/** One tire or several. */
export const verb = ({ isPlural }: Tires, one: string, several: string): string => (isPlural ? several : one);
export const it = (tires: Tires): string => verb(tires, 'it', 'them');

/** The tires in a sentence that denies: "no groove on any of the four tires". */
export const anyOf = ({ names, count }: Tires): string => (count === 4 ? 'any of the four tires' : names);
