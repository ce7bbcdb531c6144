import type { Field } from '../../field';
import { compact, isLegible, decodeGreedily, certaintyOf, type DecodedText } from './decoded-text';

const characters = ['A', 'B', ' '];
const frames = (...rows: readonly (readonly number[])[]): Field => ({
  width: 4,
  height: rows.length,
  data: Float32Array.from(rows.flat()),
});
const BLANK = [0.9, 0.05, 0.03, 0.02];
const A = (certainty: number) => [0.1, certainty, 0, 0];
const B = (certainty: number) => [0.1, 0, certainty, 0];
const surely = (text: string, certainty = 0.9): DecodedText => ({ text, certainty: [...text].map(() => certainty) });

it.each<[string, Field, string, number[]]>([
  ['nothing', frames(BLANK, BLANK), '', []],
  ['a character that is seen in two frames, once', frames(A(0.5), A(0.8), BLANK), 'A', [0.8]],
  ['two that are alike with a gap between them', frames(A(0.5), BLANK, A(0.75)), 'AA', [0.5, 0.75]],
  ['neighbours', frames(A(0.5), B(0.75), [0, 0, 0, 0.5]), 'AB ', [0.5, 0.75, 0.5]],
])('decodes %s', (_, field, text, certainty) => {
  const decodedText = decodeGreedily(field, characters);
  expect(decodedText.text).toBe(text);
  certainty.forEach((certainty, i) => expect(decodedText.certainty[i]).toBeCloseTo(certainty, 5));
});

it('removes spaces with their probabilities', () => {
  expect(compact({ text: 'a bC', certainty: [0.1, 0.2, 0.3, 0.4] })).toEqual({ text: 'ABC', certainty: [0.1, 0.3, 0.4] });
});

it('gives a range the product of its probabilities', () => {
  expect(certaintyOf({ text: 'ABC', certainty: [0.5, 0.5, 0.1] }, 0, 2)).toBe(0.25);
});

it.each<[DecodedText, boolean]>([
  [surely('KUMHO'), true],
  [surely('KUMHO', 0.4), false],
  [surely('I1'), false],
  [surely(''), false],
])('tells text from ornaments: %j', (decodedText, legible) => {
  expect(isLegible(decodedText)).toBe(legible);
});
