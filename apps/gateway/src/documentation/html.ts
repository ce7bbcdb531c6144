export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** Text with `code` in it. */
export const inline = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? code(part) : escaped(part)))
    .join('');

/** A cell says what it is where a narrow screen shows no head. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const cells = (row: readonly string[]) => row.map((cell, index) => `<td data-head="${escaped(head[index] ?? '')}">${cell}</td>`).join('');
  const heads = head.map((name) => `<th scope="col">${escaped(name)}</th>`).join('');
  return `<table><thead><tr>${heads}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table>`;
}

/** A block that scrolls by itself must be reached without a mouse. */
export const block = (text: string): string => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;

export const details = (summary: string, inner: string): string => `<details><summary>${summary}</summary>${inner}</details>`;

const LIST_ITEM = /^(?:-|\d+\.) /;

function list(tag: 'ul' | 'ol', lines: string): string {
  const items = lines.split('\n').map((line) => `<li>${inline(line.replace(LIST_ITEM, ''))}</li>`);
  return `<${tag}>${items.join('')}</${tag}>`;
}

/** The CommonMark that our own document is written in: paragraphs, headings, lists, code. */
export const prose = (text: string): string =>
  text
    .split('\n\n')
    .map((part) => {
      if (part.startsWith('## ')) return `<h3>${inline(part.slice(3))}</h3>`;
      if (LIST_ITEM.test(part)) return list(part.startsWith('-') ? 'ul' : 'ol', part);
      return `<p>${inline(part)}</p>`;
    })
    .join('');
