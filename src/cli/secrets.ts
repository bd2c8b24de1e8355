import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../core/database/options';
import type { Lifetime } from '../core/process/lifetime';
import { rotateSecrets } from '../core/secrets/rotation';
import { SecretBox } from '../core/secrets/secret-box';
import { DukaCommand } from './commands';

export const secretsCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('secrets:rotate', lifetime)
    .description(
      'seal every secret in the database with the first of SECRETS_KEYS; while the service runs, ' +
        'and again when it was cut',
    )
    .does(async ({ env }) => {
      const dataSource = await lifetime.own(new DataSource(dataSourceOptions(env, 'owner')).initialize(), (opened) =>
        opened.destroy(),
      );
      const tables = await rotateSecrets(dataSource, new SecretBox(env));
      const unopened = tables.reduce((sum, table) => sum + table.unopened, 0);
      const lines = tables.map(
        ({ table, rotated, unopened: left }) =>
          `${table.padEnd(20)} ${rotated} sealed anew${left > 0 ? `, ${left} CANNOT BE OPENED` : ''}`,
      );
      const verdict =
        unopened > 0
          ? 'No key of SECRETS_KEYS opens some secrets: keep the old key, and look for a missing one.'
          : 'Every secret is sealed with the first key. The others may go.';
      return { failed: unopened > 0, text: [...lines, '', verdict].join('\n'), json: { ok: unopened === 0, tables } };
    }),
];
