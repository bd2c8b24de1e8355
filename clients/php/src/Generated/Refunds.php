<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type Refund from Types
 */
final class Refunds
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List refunds, newest first. `GET /api/v1/refunds`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     *   payment_id?: string,
     *   wallet_id?: string,
     *   reference?: string,
     *   needs_review?: bool,
     *   created_gte?: string,
     *   created_lt?: string,
     * } $query
     * @return Pages<Refund>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/api/v1/refunds', query: $query, options: $options);
    }

    /**
     * Fetch a refund. `GET /api/v1/refunds/{id}`
     *
     * @return Refund
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/api/v1/refunds/' . rawurlencode($id), options: $options);
    }
}
