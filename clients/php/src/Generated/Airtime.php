<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type BuyAirtime from Types
 * @phpstan-import-type DryRunTransaction from Types
 * @phpstan-import-type NetworkList from Types
 * @phpstan-import-type Transaction from Types
 */
final class Airtime
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List the mobile networks, by country and slug. `GET /v4/airtime/networks`
     *
     * @param array{
     *   country?: string,
     * } $query
     * @return NetworkList
     */
    public function listNetworks(array $query = [], ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/airtime/networks', query: $query, options: $options);
    }

    /**
     * Send airtime to a phone. `POST /v4/airtime/purchase`
     *
     * @param BuyAirtime $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return ($dryRun is true ? DryRunTransaction : Transaction)
     */
    public function purchase(array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/airtime/purchase', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }
}
