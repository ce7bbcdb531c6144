import { PrintedJson } from './canonical-json';

/** A contract whose outlines may be points or, four fifths of a snapshot and of its document, the text of them. */
export type Drawn<T> = { [Name in keyof T]: Name extends 'polygon_xy_norm' ? T[Name] | PrintedJson : Drawn<T[Name]> };

// What String writes of a number from 0 to 1 without an exponent. Two texts of up to 15 digits are never the same double, so one
// that ends in no 0 is the shortest of its number, which is what String writes.
const SHARE = String.raw`(?:0(?:\.(?!0{6})\d{0,14}[1-9])?|1)`;
const POINT = String.raw`\[${SHARE},${SHARE}\]`;
/** Only the name of a member ends in a quotation mark that is not escaped and has a colon behind it: inside of a text there is none. */
const OUTLINE = new RegExp(String.raw`"polygon_xy_norm":(\[(?:${POINT}(?:,${POINT})*)?\])`, 'g');

/** Stands where an outline was. No text can hold it where neither the bytes do, nor an escape by which it could be written. */
const MARK = 'outline cut out #';
const ESCAPE = String.raw`\u`;

export interface Cut {
  readonly value: unknown;
  /** The outlines that were cut out, by what stands in their place. */
  readonly outlines: ReadonlyMap<unknown, PrintedJson>;
}

const NONE: Cut['outlines'] = new Map();

/**
 * JSON.parse, but for the outlines of grooves that are sound and written as they would be printed again: nobody computes with
 * them, so they are judged as text and stay text. Numbers made of them and printed again took two thirds of all the time of a
 * revision. Any other outline is parsed with the rest.
 */
export function parseAroundOutlines(bytes: Uint8Array): Cut {
  const { buffer, byteOffset, byteLength } = bytes;
  const source = Buffer.from(buffer, byteOffset, byteLength);
  // A character a byte: outlines are ASCII, and the rest becomes bytes again.
  const text = source.toString('latin1');
  if (text.includes(MARK) || text.includes(ESCAPE)) return { value: JSON.parse(source.toString('utf8')), outlines: NONE };
  const outlines = new Map<unknown, PrintedJson>();
  const rest = text.replace(OUTLINE, (_all, outline: string) => {
    const mark = `${MARK}${outlines.size}`;
    outlines.set(mark, new PrintedJson(outline));
    return `"polygon_xy_norm":"${mark}"`;
  });
  return { value: JSON.parse(Buffer.from(rest, 'latin1').toString('utf8')), outlines };
}
