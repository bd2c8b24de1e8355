import { Structure } from './structure';

/** Where each journey enters the code. */
export const JOURNEYS = {
  purchase: 'AirtimeController.purchase',
  'card issue': 'CardsController.issue',
  'card authorization': 'AuthorizationsService.authorize',
  payment: 'PaymentsController.create',
  'gateway callback': 'CallbacksController.receive',
  'webhook delivery': 'DeliveriesProcessor.process',
  transfer: 'TransfersController.transfer',
} as const;

/** Services do more than their one method says, when they have one only: it would stand better in its caller. */
const isShallow = ({ decorators, publicMethods }: { decorators: string[]; publicMethods: string[] }) =>
  decorators.includes('Injectable') && publicMethods.length <= 1;

/** Two DTOs of one name would be one schema of the OpenAPI documents: the last one would be shown for both. */
const namedTwice = (names: string[]) =>
  names.filter((name, index) => name.endsWith('Dto') && names.indexOf(name) !== index);

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)]!;

/** What is counted of the sources of the service, without specs. */
export function figures(): Record<string, number> {
  const structure = new Structure();
  const texts = [...structure.sources.values()].map(({ text }) => text.split('\n'));
  const classes = structure.classes();
  return {
    files: texts.length,
    lines: texts.reduce((sum, lines) => sum + lines.length - 1, 0),
    'median lines': median(texts.map((lines) => lines.length - 1).sort((a, b) => a - b)),
    'lines over 120 columns': texts.flat().filter(({ length }) => length > 120).length,
    'Nest modules': classes.filter(({ decorators }) => decorators.includes('Module')).length,
    'services with at most one public method': classes.filter(isShallow).length,
    'DTOs named like another': namedTwice(classes.map(({ name }) => name)).length,
    ...Object.fromEntries(
      Object.entries(JOURNEYS).map(([name, entry]) => [`files of a ${name}`, structure.reach(entry).length]),
    ),
  };
}
