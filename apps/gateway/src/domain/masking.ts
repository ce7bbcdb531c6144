/** Stands for what is hidden. Its length says nothing about the text, except in names of one word. */
const HIDDEN = '***';
const letters = (text: string): string[] => [...text];

/** 김민수 is 김*수, 김수 is 김*, and of each word of a longer name the first letter stays. */
export function maskedName(name: string): string {
  const words = name.trim().split(/\s+/);
  if (words.length > 1) return words.map((word) => `${letters(word)[0]}${HIDDEN}`).join(' ');
  const all = letters(words[0]!);
  const [first = ''] = all;
  if (all.length <= 1) return '*';
  if (all.length === 2) return `${first}*`;
  if (all.length > 4) return `${first}${HIDDEN}`;
  return `${first}${'*'.repeat(all.length - 2)}${all.at(-1)}`;
}

/** The first digits of Korean mobile numbers are the same for everybody; of all others only the last four stay. */
export function maskedPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '').replace(/^820?/, '0');
  const last = digits.slice(-4);
  return digits.startsWith('01') && digits.length >= 10 ? `${digits.slice(0, 3)}-****-${last}` : `****-${last}`;
}

export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${letters(email)[0]}${HIDDEN}${email.slice(at)}`;
}
