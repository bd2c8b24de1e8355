<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type Batch from Types
 * @phpstan-import-type BatchItem from Types
 * @phpstan-import-type CreateBatch from Types
 */
final class Batches
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List batches, newest first. `GET /v4/batches`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     *   kind?: 'airtime'|'data'|'bill'|'transfer'|'payout',
     *   reference?: string,
     * } $query
     * @return Pages<Batch>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/batches', query: $query, options: $options);
    }

    /**
     * Place up to 10,000 orders at once. `POST /v4/batches`
     *
     * @param CreateBatch $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return Batch
     */
    public function create(array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/batches', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }

    /**
     * Fetch a batch. `GET /v4/batches/{id}`
     *
     * @return Batch
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/batches/' . rawurlencode($id), options: $options);
    }

    /**
     * Begin no further row of a batch, for good. `POST /v4/batches/{id}/cancel`
     *
     * @return Batch
     */
    public function cancel(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/batches/' . rawurlencode($id) . '/cancel', options: $options);
    }

    /**
     * List the rows of a batch, in their order. `GET /v4/batches/{id}/items`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     * } $query
     * @return Pages<BatchItem>
     */
    public function listItems(string $id, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/batches/' . rawurlencode($id) . '/items', query: $query, options: $options);
    }

    /**
     * Begin no further row until the batch is resumed. `POST /v4/batches/{id}/pause`
     *
     * @return Batch
     */
    public function pause(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/batches/' . rawurlencode($id) . '/pause', options: $options);
    }

    /**
     * Go on with a batch that was paused. `POST /v4/batches/{id}/resume`
     *
     * @return Batch
     */
    public function resume(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/batches/' . rawurlencode($id) . '/resume', options: $options);
    }
}
