<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type BuyData from Types
 * @phpstan-import-type DataPlan from Types
 * @phpstan-import-type DryRunTransaction from Types
 * @phpstan-import-type Transaction from Types
 */
final class Data
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List the data plans on sale, by code. `GET /v4/data/plans`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   network?: string,
     *   country?: string,
     *   type?: 'direct'|'sme'|'corporate_gifting'|'gifting'|'social'|'broadband',
     *   q?: string,
     * } $query
     * @return Pages<DataPlan>
     */
    public function listPlans(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/data/plans', query: $query, options: $options);
    }

    /**
     * Send a data plan to a phone. `POST /v4/data/purchase`
     *
     * @param BuyData $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return ($dryRun is true ? DryRunTransaction : Transaction)
     */
    public function purchase(array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/data/purchase', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }
}
