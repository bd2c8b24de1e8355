<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type Dispute from Types
 */
final class Disputes
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List disputes, newest first. `GET /v4/disputes`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     *   card_id?: string,
     *   card_transaction_id?: string,
     *   needs_review?: bool,
     *   created_gte?: string,
     *   created_lt?: string,
     * } $query
     * @return Pages<Dispute>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/disputes', query: $query, options: $options);
    }

    /**
     * Fetch a dispute. `GET /v4/disputes/{id}`
     *
     * @return Dispute
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/disputes/' . rawurlencode($id), options: $options);
    }

    /**
     * Ask the issuer to let a dispute go. `POST /v4/disputes/{id}/withdraw`
     *
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return Dispute
     */
    public function withdraw(string $id, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/disputes/' . rawurlencode($id) . '/withdraw', wait: $wait, options: $options);
    }
}
