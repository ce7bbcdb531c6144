import { z } from 'zod';
import { DateTime, Uuid } from '../api/common';
import { text } from '../api/text';
import { NAME_LENGTH_MAX, PASSWORD_LENGTH } from '../limits';
import { PERMISSIONS, ROLES } from './roles';

export const RoleSchema = z.enum(ROLES).meta({ id: 'Role' });
export const PermissionSchema = z.enum(PERMISSIONS).meta({ id: 'Permission', description: 'Hide controls whose permission is missing.' });

export const EmailAddress = text(254, 3)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
  .transform((address) => address.toLowerCase())
  .describe('An e-mail address; upper and lower case are the same.');
export const NewPassword = text(PASSWORD_LENGTH.max, PASSWORD_LENGTH.min).describe('Any characters.');
export const Name = text(NAME_LENGTH_MAX, 1)
  .refine((name) => name.trim() !== '', 'must not be blank')
  .describe('Shown as plain text.');
export const OneTimeCode = z.string().regex(/^\d{6}$/, 'must be six digits');

export const NextCursor = z.string().nullable().describe('The cursor of the next page; null on the last one.');
export const Moment = DateTime;
export const MomentOrNull = DateTime.nullable();
export const Id = Uuid;
