const { default: Sequencer } = require('@jest/test-sequencer');

/** They take a minute or more, whatever their size says: begun last, they would leave the other workers idle. */
const LONGEST = [
  'scaffold',
  'fuzz',
  'dashboard-page-resend',
  'dashboard-page-looks',
  'checkout',
  'queue-deaf',
  'dashboard-page-sandbox',
  'scenarios',
  'client-typescript',
  'clients',
  'ledger-model',
].map((name) => `/test/${name}.e2e-spec.ts`);

const rank = ({ path }) => LONGEST.findIndex((end) => path.endsWith(end)) >>> 0;

/** Without figures of a run before, as on a fresh clone, Jest begins with the largest files. */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
