import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import type { Repository } from 'typeorm';
import { Network } from './network.entity';

/** What others may know of a network. */
export type NetworkRecord = Readonly<Network>;

/** An operator's edit of the table is seen after this long. */
const CACHE_MS = 1_000;

/** The mobile networks that the platform knows. */
@Injectable()
export class NetworksService {
  private readonly known: LRUCache<'all', NetworkRecord[]>;

  constructor(@InjectRepository(Network) networks: Repository<Network>) {
    this.known = new LRUCache({
      max: 1,
      ttl: CACHE_MS,
      fetchMethod: () => networks.find({ order: { country: 'ASC', slug: 'ASC' } }),
    });
  }

  /** By country and slug; all of them without a country. */
  async list(country: string | null): Promise<NetworkRecord[]> {
    const networks = this.known.get('all') ?? (await this.known.forceFetch('all'));
    return country === null ? networks : networks.filter((network) => network.country === country);
  }

  /** By slug or alias; null when the country has no such network. */
  async find(country: string, name: string): Promise<NetworkRecord | null> {
    const networks = await this.list(country);
    return networks.find(({ slug }) => slug === name) ?? networks.find(({ aliases }) => aliases.includes(name)) ?? null;
  }
}
