import { Injectable } from '@nestjs/common';

interface Path {
  readonly matches: RegExp;
  readonly methods: Set<string>;
}

/** Every path of the service with its methods: tells a wrong method (405) from a wrong address (404). */
@Injectable()
export class RouteTable {
  private readonly paths = new Map<string, Path>();

  /** Fastify `onRoute` hook. */
  readonly add = ({ url, method }: { url: string; method: string | string[] }): void => {
    const path = this.paths.get(url) ?? { matches: patternOf(url), methods: new Set() };
    this.paths.set(url, path);
    for (const name of [method].flat()) path.methods.add(name);
  };

  /** Methods that some route has for the path of `url`; empty when no route has it. */
  methodsOf(url: string): string[] {
    const path = url.split('?', 1)[0]!;
    return [...this.paths.values()]
      .filter(({ matches }) => matches.test(path))
      .flatMap(({ methods }) => [...methods])
      .filter((name, index, all) => all.indexOf(name) === index)
      .sort();
  }
}

/** `/v4/wallets/:id` → `^/v4/wallets/[^/]+$`. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/.-]+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  );
