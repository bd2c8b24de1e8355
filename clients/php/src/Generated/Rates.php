<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type RateList from Types
 */
final class Rates
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List what currencies are quoted at now. `GET /v4/rates`
     *
     * @param array{
     *   from?: 'NGN'|'KES'|'GHS'|'ZAR'|'USD'|'EUR'|'GBP'|'TZS'|'ZMW'|'XOF'|'XAF'|'UGX'|'RWF'|'TND'|'LYD',
     *   to?: 'NGN'|'KES'|'GHS'|'ZAR'|'USD'|'EUR'|'GBP'|'TZS'|'ZMW'|'XOF'|'XAF'|'UGX'|'RWF'|'TND'|'LYD',
     * } $query
     * @return RateList
     */
    public function list(array $query = [], ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/rates', query: $query, options: $options);
    }
}
