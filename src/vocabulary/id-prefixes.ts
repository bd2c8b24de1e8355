/** What a public id names: `wal_01h2…` is a wallet. Of the service; teams add theirs. */
export const ID_PREFIXES = [
  'acct',
  'key',
  'wal',
  'day',
  'rpt',
  'trf',
  'txn',
  'cus',
  'crd',
  'ctx',
  'dsp',
  'cau',
  'pay',
  'rfd',
  'qte',
  'cnv',
  'whk',
  'evt',
  'dlv',
  'val',
  'res',
  'ben',
  'bat',
  'vac',
  'dep',
  'req',
  'cat',
  'bst',
  'usr',
  'mem',
  'ses',
  'psk',
  'aud',
  'inc',
] as const;

/**
 * Prefixes of teams: `declare module '../../vocabulary/id-prefixes' { interface TeamIdPrefixes { cnt: true } }`.
 * @public
 */
export interface TeamIdPrefixes {}

export type IdPrefix = (typeof ID_PREFIXES)[number] | keyof TeamIdPrefixes;
