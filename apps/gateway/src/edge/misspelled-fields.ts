import { paramOf, type CreationWarning } from '@tire/contracts/api';
import { z } from 'zod';
import { meantName } from '../domain/misspelling';

/** Both bound the work for a body of 256 KiB that has nothing but unknown names. */
const UNKNOWN_READ_MAX = 50;
const WARNINGS_MAX = 20;

/** The unknown fields of a body that the schema accepted and that look like slips of known ones. All unknown fields are ignored. */
export function misspelledFields(schema: z.ZodType, body: unknown): CreationWarning[] {
  const found: CreationWarning[] = [];
  visit(schema, body, [], found);
  return found.slice(0, WARNINGS_MAX);
}

type Path = readonly (string | number)[];

function visit(schema: z.ZodType, value: unknown, path: Path, found: CreationWarning[]): void {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return visit(schema.unwrap() as z.ZodType, value, path, found);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, element] of value.entries()) visit(schema.element as z.ZodType, element, [...path, index], found);
  }
  if (schema instanceof z.ZodObject && isObject(value)) visitObject(schema.shape as Record<string, z.ZodType>, value, path, found);
}

function visitObject(
  shape: Readonly<Record<string, z.ZodType>>,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  found: CreationWarning[],
): void {
  const known = Object.keys(shape);
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
  for (const name of unknown.slice(0, UNKNOWN_READ_MAX)) {
    const meant = meantName(name, known);
    // A field that is there as well was not misspelled.
    if (meant === null || Object.hasOwn(value, meant)) continue;
    const param = paramOf([...path, name])!;
    found.push({
      code: 'unknown_field',
      param,
      message: `${param}: is no field and was ignored; did you mean ${paramOf([...path, meant])}?`,
    });
  }
  for (const [name, inner] of Object.entries(shape)) visit(inner, value[name], [...path, name], found);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
