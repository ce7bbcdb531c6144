/** A number stays on one line with its unit, and a range of numbers too. Texts of reports and the words of the page come here as plain text. */
export const unbroken = (text: string): string =>
  text.replace(/(\d) (mm|m|km\/h|km)\b/g, '$1\u00a0$2').replace(/(\d)–(?=\d)/g, '$1–\u2060');
