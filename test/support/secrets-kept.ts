type Query = (statement: string) => Promise<Record<string, unknown>[]>;

const TABLES = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
   WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`;

/** How a secret may lie about: as it is, as hex, as base64. */
export const formsOf = (secret: string): string[] => {
  const hex = Buffer.from(secret).toString('hex');
  return [secret, hex, hex.toUpperCase(), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
};

/** All rows of a database as text, with bytes as hex, table by table: what a dump of it holds. */
export async function dumpOf(query: Query): Promise<string[]> {
  const dump: string[] = [];
  for (const { name } of await query(TABLES)) {
    const [all] = await query(`SELECT coalesce(string_agg(t::text, ' '), '') AS text FROM ONLY ${String(name)} t`);
    dump.push(all!.text as string);
  }
  return dump;
}
