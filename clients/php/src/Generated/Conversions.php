<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type Conversion from Types
 * @phpstan-import-type CreateConversion from Types
 * @phpstan-import-type DryRunConversion from Types
 */
final class Conversions
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List conversions, newest first. `GET /v4/conversions`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     * } $query
     * @return Pages<Conversion>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/conversions', query: $query, options: $options);
    }

    /**
     * Convert money between two of your wallets, as a quote says. `POST /v4/conversions`
     *
     * @param CreateConversion $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @return ($dryRun is true ? DryRunConversion : Conversion)
     */
    public function create(array $body, bool $dryRun = false, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/conversions', body: $body, dryRun: $dryRun, options: $options);
    }

    /**
     * Fetch a conversion. `GET /v4/conversions/{id}`
     *
     * @return Conversion
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/conversions/' . rawurlencode($id), options: $options);
    }
}
