import type { ChosenRule } from '@tire/kernel';
import type { Database, Tx } from '@tire/platform';

/** What was chosen for a project, and for all. */
interface StoredRules {
  readonly ofProject: ChosenRule[];
  readonly ofAll: ChosenRule[];
}

const OF_PROJECT = `
  SELECT rule, value, true AS own FROM project_rules WHERE project_id = $1
  UNION ALL SELECT rule, value, false FROM rule_defaults`;

export async function storedRules(database: Pick<Database, 'projectQuery'>, projectId: string): Promise<StoredRules> {
  const rows = await database.projectQuery<ChosenRule & { own: boolean }>(projectId, OF_PROJECT, [projectId]);
  return { ofProject: rows.filter(({ own }) => own), ofAll: rows.filter(({ own }) => !own) };
}

interface ListedRule extends ChosenRule {
  /** Null: for all projects without a choice of their own. */
  readonly projectId: string | null;
  readonly changedAt: Date;
}

/** So many at most, those for all first. */
const LISTED_MAX = 1_000;

/** Those of one project, or of all. */
export async function listedRules(
  tx: Tx,
  projectId: string | null,
  max = LISTED_MAX,
): Promise<{ readonly rows: readonly ListedRule[]; readonly isWhole: boolean }> {
  const rows = await tx.rows<ListedRule>(
    `SELECT NULL::uuid AS "projectId", rule, value, changed_at AS "changedAt" FROM rule_defaults WHERE $1::uuid IS NULL
     UNION ALL SELECT project_id, rule, value, changed_at FROM project_rules WHERE $1::uuid IS NULL OR project_id = $1
     ORDER BY 1 NULLS FIRST, 2 LIMIT $2`,
    [projectId, max + 1],
  );
  return { rows: rows.slice(0, max), isWhole: rows.length <= max };
}

export async function isStored(tx: Tx, rule: string): Promise<boolean> {
  const [row] = await tx.rows(`SELECT 1 FROM rule_defaults WHERE rule = $1 UNION ALL SELECT 1 FROM project_rules WHERE rule = $1 LIMIT 1`, [
    rule,
  ]);
  return row !== undefined;
}

/** Returns what was chosen before; null: nothing. Without a value the choice ends. */
export async function chooseRule(tx: Tx, projectId: string | null, rule: string, value: string | null, now: Date): Promise<string | null> {
  const [table, columns, key] =
    projectId === null ? ['rule_defaults', 'rule', [rule]] : ['project_rules', 'project_id, rule', [projectId, rule]];
  const where = columns
    .split(', ')
    .map((column, index) => `${column} = $${index + 1}`)
    .join(' AND ');
  const [before] = await tx.rows<{ value: string }>(`SELECT value FROM ${table} WHERE ${where} FOR UPDATE`, key);
  if (value === null) await tx.execute(`DELETE FROM ${table} WHERE ${where}`, key);
  else {
    const places = [...key, value, now].map((_, index) => `$${index + 1}`).join(', ');
    await tx.execute(
      `INSERT INTO ${table} (${columns}, value, changed_at) VALUES (${places})
       ON CONFLICT (${columns}) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at`,
      [...key, value, now],
    );
  }
  return before?.value ?? null;
}
