<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type RequestLog from Types
 */
final class RequestLogs
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List the requests of the account's keys, newest first. `GET /v4/request-logs`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     *   method?: 'GET'|'HEAD'|'POST'|'PUT'|'PATCH'|'DELETE',
     *   path?: string,
     *   key_id?: string,
     *   route?: string,
     *   error_code?: string,
     *   created_gte?: string,
     *   created_lt?: string,
     * } $query
     * @return Pages<RequestLog>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/request-logs', query: $query, options: $options);
    }

    /**
     * Get a request of the log. `GET /v4/request-logs/{id}`
     *
     * @return RequestLog
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/request-logs/' . rawurlencode($id), options: $options);
    }
}
