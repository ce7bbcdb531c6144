import type { Tx } from '@tire/platform';
import type { Price } from '../domain/report-price';

const SELECT = `
  SELECT to_char(valid_from, 'YYYY-MM-DD') AS "validFrom", amount_minor AS "amountMinor", currency FROM report_prices WHERE project_id = $1`;

/** The latest first. */
export const listPrices = (tx: Tx, projectId: string, limit: number): Promise<Price[]> =>
  tx.rows<Price>(`${SELECT} ORDER BY valid_from DESC LIMIT $2`, [projectId, limit]);

/** False: there is none. */
export async function deletePrice(tx: Tx, projectId: string, validFrom: string): Promise<boolean> {
  return (await tx.execute('DELETE FROM report_prices WHERE project_id = $1 AND valid_from = $2::date', [projectId, validFrom])) > 0;
}

/** Those of a period, and the one that it begins with. */
export const findPrices = (tx: Tx, projectId: string, from: string, to: string): Promise<Price[]> =>
  tx.rows<Price>(
    `${SELECT} AND valid_from <= $3::date AND valid_from >= coalesce(
       (SELECT max(valid_from) FROM report_prices WHERE project_id = $1 AND valid_from <= $2::date), $2::date)`,
    [projectId, from, to],
  );

export const storePrice = (tx: Tx, projectId: string, { validFrom, amountMinor, currency }: Price): Promise<number> =>
  tx.execute(
    `INSERT INTO report_prices (project_id, valid_from, amount_minor, currency) VALUES ($1, $2, $3, $4)
     ON CONFLICT (project_id, valid_from) DO UPDATE SET amount_minor = excluded.amount_minor, currency = excluded.currency`,
    [projectId, validFrom, amountMinor, currency],
  );
