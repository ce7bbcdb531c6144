import { isSlotId, isUuid } from '@tire/kernel';
import { createHash } from 'node:crypto';

export interface ReportIdentity {
  readonly projectId: string;
  readonly reportId: string;
}

export interface AssetIdentity extends ReportIdentity {
  readonly slotId: string;
  readonly assetId: string;
}

/** S3 allows 1024 bytes; our keys are much shorter. */
const MAX_KEY_LENGTH = 512;
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,200}$/;

/** Plain segments only: such a key names the same object in a bucket, in a URL and in a folder, and stays inside the folder. */
export const isObjectKey = (key: string): boolean =>
  key.length <= MAX_KEY_LENGTH && key.split('/').every((segment) => SEGMENT.test(segment));

/** The prefix of every key of this service. */
export const ALL_OBJECTS = 'projects/';

export const projectPrefix = (projectId: string): string => `${ALL_OBJECTS}${projectId}/`.toLowerCase();

/** The prefix of every object of a report, and of no other object. */
export function reportPrefix({ projectId, reportId }: ReportIdentity): string {
  if (![projectId, reportId].every(isUuid)) throw new Error('Malformed report or project id');
  return `${projectPrefix(projectId)}reports/${reportId}/`.toLowerCase();
}

/** Returns the key to which an upload is written. The holder of the upload address may write here until it expires. */
export function uploadKey({ slotId, assetId, ...report }: AssetIdentity): string {
  if (!isUuid(assetId) || !isSlotId(slotId)) throw new Error('Malformed asset or slot id');
  return `${reportPrefix(report)}${slotId}/${assetId}`.toLowerCase();
}

/** Where verified bytes are stored. No upload address writes here, and the key contains their digest. */
export const imageKey = (identity: AssetIdentity, sha256: Buffer): string => `${uploadKey(identity)}.${sha256.toString('hex')}`;

const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The prefix of the derivatives of a report, and of no other object. Visitors see these keys, so they contain no id. */
export const displayPrefix = (report: ReportIdentity): string => `display/${nameOf(reportPrefix(report))}/`;

/** The prefix of the derivatives of one stored image. Its key contains the digest of its bytes, so other bytes have other derivatives. */
export const displayPrefixOf = (report: ReportIdentity, objectKey: string): string => `${displayPrefix(report)}${nameOf(objectKey)}/`;

const LOGO_NAME = /^[0-9a-f]{64}$/;

/** A logo of a project. Each upload has a random name: its object never changes. Visitors see the key, so it contains no id. Undefined if malformed. */
export const logoKey = (projectId: string, name: string): string | undefined =>
  isUuid(projectId) && LOGO_NAME.test(name) ? `logos/${nameOf(projectPrefix(projectId))}/${name}.png` : undefined;

const EXPORT_NAME = /^[a-z0-9][a-z0-9.-]{0,99}$/;
const EXPORT_FOLDER = 'exports';

/** An exported file of a project. Its members see the key, and save the file under its last part. Undefined if malformed. */
export const exportKey = (projectId: string, name: string): string | undefined =>
  isUuid(projectId) && EXPORT_NAME.test(name) ? `${projectPrefix(projectId)}${EXPORT_FOLDER}/${name}` : undefined;

/** The gateway, which keeps the list of these files, removes them. */
export function isExportKey(key: string): boolean {
  const [, projectId = '', folder, ...name] = key.split('/');
  return folder === EXPORT_FOLDER && exportKey(projectId, name.join('/')) === key;
}

export interface StoredObject extends AssetIdentity {
  readonly key: string;
  /** Written through an upload address; else the bytes were verified. */
  readonly isUpload: boolean;
}

const STORED = /^projects\/([^/]+)\/reports\/([^/]+)\/([^/]+)\/([^/.]+)(\.[0-9a-f]{64})?$/;

/** Undefined for a key that is not from this service. */
export function parseObjectKey(key: string): StoredObject | undefined {
  const [, projectId, reportId, slotId, assetId, digest] = STORED.exec(key) ?? [];
  if (!projectId || !reportId || !slotId || !assetId) return undefined;
  if (![projectId, reportId, assetId].every(isUuid) || !isSlotId(slotId)) return undefined;
  return { key, projectId, reportId, slotId, assetId, isUpload: digest === undefined };
}
