import type { DashboardSchemas } from '../api/dashboard-api';
import type { Mode } from '../api/public-api';
import { pageOf } from '../ui/links';

export type Hit = DashboardSchemas['Hit'];
export type Answer = DashboardSchemas['SearchAnswer'];

/** A part of the address of a page. */
export interface Place {
  /** Below `/dashboard`. */
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly hash?: string;
}

/** One line that can be chosen. */
export interface Entry {
  readonly key: string;
  readonly title: string;
  readonly note?: string;
  readonly hit?: Hit;
  readonly place?: Place;
  /** Instead of a place. */
  readonly run?: () => void;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Lists on which those stand that have no page. */
const LISTS: Readonly<Record<string, string>> = { key: 'keys' };

export const hrefOf = ({ path, search, hash }: Place): string =>
  `/dashboard${path}${search ? `?${new URLSearchParams(search)}` : ''}${hash ? `#${hash}` : ''}`;

/** Where a hit leads; undefined: it is nowhere but in the API. */
function placeOf({ id, stands_with: other, mode }: Hit): Place | undefined {
  const shown = [id, other].find((known) => known && pageOf(known));
  if (shown) return { path: pageOf(shown)!.replace('$mode', mode).replace('$id', shown) };
  const list = LISTS[id.slice(0, 3)];
  return list === undefined ? undefined : { path: `/${mode}/${list}` };
}

const LISTED: Readonly<Record<string, string>> = { transaction: 'transactions', wallet: 'wallets' };

/** `card_transaction` is "Card transactions". */
function titleOf(type: string): string {
  const words = type.replaceAll('_', ' ').replace(/^api/, 'API');
  const many = words.replace(/y$/, 'ie').replace(/ch$/, 'che');
  return `${many[0]!.toUpperCase()}${many.slice(1)}s`;
}

export function sectionsOf(answer: Answer | undefined, mode: Mode, q: string): readonly Section[] {
  return (answer?.data ?? []).map(({ type, data, has_more }) => {
    const list = LISTED[type];
    const all: readonly Entry[] =
      has_more && list
        ? [
            {
              key: `all ${type}`,
              title: `More ${titleOf(type).toLowerCase()}`,
              place: { path: `/${mode}/${list}`, search: { q } },
            },
          ]
        : [];
    const others = data.some((hit) => hit.mode !== mode);
    const note = others
      ? ` in ${mode === 'live' ? 'test' : 'live'} mode`
      : has_more && !list
        ? ', the newest five'
        : '';
    return {
      title: titleOf(type) + note,
      entries: [
        ...data.map((hit) => ({
          key: hit.id,
          title: hit.title,
          note: hit.subtitle ?? hit.id,
          hit,
          place: placeOf(hit),
        })),
        ...all,
      ],
    };
  });
}

/** Whether each word that was typed begins a word of the title. */
export function isMeant(title: string, typed: string): boolean {
  const words = title.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)));
}

const SECRET = /^(?:sk|pk|whsec|rk)_\S{8,}$/;

/** What is asked of the service: of a key's secret only the last four letters, by which it is known. */
export const askedOf = (typed: string): string => (SECRET.test(typed) ? typed.slice(-4) : typed);
