// Controls, and marks that turn the direction of what follows them.
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** A plate beside a report may point to a person: the public page shows enough to recognise one's own car and no more. */
export function maskPlate(plate: string): string {
  const clean = plate.replace(INVISIBLE, '').replace(/\s+/g, '');
  const korean = /^(.*\D)(\d)\d{3}$/u.exec(clean);
  if (korean) return `${korean[1]} ${korean[2]}***`;
  const letters = [...clean];
  const shown = Math.floor(letters.length / 2);
  return letters.map((letter, index) => (index < shown ? letter : '*')).join('');
}
