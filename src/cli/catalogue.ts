import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Lifetime } from '../core/process/lifetime';
import { CatalogueService } from '../modules/bills/catalogue.service';
import { changeText, type PlanImport, PlanImportService } from '../modules/data/plan-import.service';
import { DukaCommand, type Report } from './commands';
import { count, name } from './options';

interface ImportOptions {
  file: unknown;
  dryRun: boolean;
}

interface SyncOptions {
  name: string;
  maxMove: number | null;
  dryRun: boolean;
}

export const catalogueCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('catalogue:import', lifetime)
    .description('add the data plans of a file to the catalogue, and change those that are there')
    .requiredOption('--file <path>', 'a JSON list of plans, like src/migrations/seeds/data-plans.json', jsonFile)
    .option('--dry-run', 'only show what would change', false)
    .does<ImportOptions>(async (session, { file, dryRun }) =>
      imported(await (await session.app()).get(PlanImportService).import(file, { dryRun }), dryRun),
    ),

  new DukaCommand('catalogue:sync', lifetime)
    .description('bring the data plans that a live provider lists into the catalogue, at its prices')
    .requiredOption('--name <provider>', 'its name in routes', name)
    .option('--max-move <basis points>', 'import nothing when a price would move by more', count(1, 999_999), null)
    .option('--dry-run', 'only show what would change', false)
    .does<SyncOptions>(async (session, { name: provider, maxMove: moveMax, dryRun }) => {
      const found = await (await session.app()).get(PlanImportService).sync(provider, { moveMax, dryRun });
      const { text, json } = imported(found, dryRun);
      const left = found.left.map(({ variation, why }) => `? ${variation}: ${why}`);
      return { text: [...left, text].join('\n'), json: { ...json, left: found.left } };
    }),
];

/** What an import changed, or would. */
function imported({ changes, unchanged, unnamed }: PlanImport, dryRun: boolean): Report {
  const added = changes.filter(({ kind }) => kind === 'added').length;
  const json = {
    dry_run: dryRun,
    added,
    changed: changes.length - added,
    unchanged,
    unnamed,
    changes: changes.map(({ plan, kind, fields }) => ({ plan_code: plan.planCode, kind, fields })),
  };
  const left = `${unnamed.length} on sale are not in the file and stay`;
  const sums = `${added} added, ${json.changed} changed, ${unchanged} as they were; ${left}.`;
  const verdict = dryRun ? `Nothing was written. It would be: ${sums}` : sums;
  return { text: [...changes.map(changeText), verdict].join('\n'), json };
}

function jsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(`It takes a file of JSON: ${(error as Error).message}.`);
  }
}

export const billerCommands = (lifetime: Lifetime): DukaCommand[] => [
  switchCommand(lifetime, 'biller:enable', true, 'accept payments to a biller, and tell every account'),
  switchCommand(
    lifetime,
    'biller:disable',
    false,
    'refuse payments to a biller until it is enabled, and tell every account',
  ),
];

function switchCommand(lifetime: Lifetime, command: string, enabled: boolean, description: string): DukaCommand {
  return new DukaCommand(command, lifetime)
    .description(description)
    .requiredOption('--biller <code>', 'the biller, as GET /v4/bills/billers calls it', name)
    .does<{ biller: string }>(async (session, options) => {
      const { biller, isChanged } = await (
        await session.app()
      )
        .get(CatalogueService, { strict: false })
        .setEnabled(options.biller, enabled);
      const state = enabled ? 'can be paid' : 'cannot be paid';
      const text = isChanged
        ? `${biller.name} ${state} from now on.`
        : `${biller.name} ${state} already: nothing was changed.`;
      return { text, json: { biller_code: biller.code, enabled, changed: isChanged } };
    });
}
