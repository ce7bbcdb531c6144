import type { QueryRunner } from 'typeorm';

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The role of the service. The migrate command and the test harness set it on their connection. */
async function runtimeRole(queryRunner: QueryRunner): Promise<string> {
  const [row] = (await queryRunner.query(`SELECT current_setting('app.runtime_role', true) AS role`)) as { role: string | null }[];
  if (!row?.role) throw new Error('app.runtime_role is not set: migrations are run by the migrate command');
  return identifier(row.role);
}

/** For a table without project_id. The runtime role may also read the applied migrations, which readiness needs. */
export async function grantRuntime(queryRunner: QueryRunner, table: string, privileges: string): Promise<void> {
  const role = await runtimeRole(queryRunner);
  await queryRunner.query(`GRANT ${privileges} ON ${identifier(table)} TO ${role}`);
  await queryRunner.query(`GRANT SELECT ON migrations TO ${role}`);
}

/** For a table with project_id. Its rows are visible and writable only in the scope of their project, or of the system (see Database). */
export async function projectTable(queryRunner: QueryRunner, table: string, privileges: string): Promise<void> {
  const name = identifier(table);
  const mayPass = `project_id::text = current_setting('app.project_id', true) OR current_setting('app.scope', true) = 'system'`;
  await queryRunner.query(`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`);
  await queryRunner.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
  await queryRunner.query(`CREATE POLICY ${identifier(`${table}_project`)} ON ${name} USING (${mayPass}) WITH CHECK (${mayPass})`);
  await grantRuntime(queryRunner, table, privileges);
}

/** Rows of the table never change, for the owner of the table either. */
export async function forbidChange(queryRunner: QueryRunner, table: string): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % never change', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`);
  await queryRunner.query(
    `CREATE TRIGGER ${identifier(`${table}_immutable`)} BEFORE UPDATE OR DELETE ON ${identifier(table)}
     FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  );
  await queryRunner.query(
    `CREATE TRIGGER ${identifier(`${table}_not_truncated`)} BEFORE TRUNCATE ON ${identifier(table)}
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  );
}
