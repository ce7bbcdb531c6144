// Control characters, and marks that change the direction of text.
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** A plate may identify a person. The public page shows just enough for owners to recognise their car. */
export function maskPlate(plate: string): string {
  const clean = plate.replace(INVISIBLE, '').replace(/\s+/g, '');
  const korean = /^(.*\D)(\d)\d{3}$/u.exec(clean);
  if (korean) return `${korean[1]} ${korean[2]}***`;
  const letters = [...clean];
  const shown = Math.floor(letters.length / 2);
  return letters.map((letter, index) => (index < shown ? letter : '*')).join('');
}
