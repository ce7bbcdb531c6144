import type { Tx } from '@tire/platform';

export interface StoredCaptureSettings {
  readonly embedOrigins: readonly string[];
  readonly showsShareLink: boolean;
}

const SELECT = `
  SELECT capture_embed_origins AS "embedOrigins", capture_shows_share_link AS "showsShareLink" FROM projects WHERE project_id = $1`;
const UPDATE = 'UPDATE projects SET capture_embed_origins = $2, capture_shows_share_link = $3 WHERE project_id = $1';

export const DEFAULT_SETTINGS: StoredCaptureSettings = { embedOrigins: [], showsShareLink: false };

export async function findCaptureSettings(tx: Tx, projectId: string): Promise<StoredCaptureSettings> {
  const [row] = await tx.rows<StoredCaptureSettings>(SELECT, [projectId]);
  return row ?? DEFAULT_SETTINGS;
}

export const saveCaptureSettings = (tx: Tx, projectId: string, { embedOrigins, showsShareLink }: StoredCaptureSettings): Promise<number> =>
  tx.execute(UPDATE, [projectId, embedOrigins, showsShareLink]);
