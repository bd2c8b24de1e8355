<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type CreateReport from Types
 * @phpstan-import-type Report from Types
 * @phpstan-import-type ReportLink from Types
 */
final class Reports
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List reports, newest first. `GET /v4/reports`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   kind?: string,
     *   status?: string,
     * } $query
     * @return Pages<Report>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/reports', query: $query, options: $options);
    }

    /**
     * Have the lines of all wallets for a period made into a file. `POST /v4/reports`
     *
     * @param CreateReport $body
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return Report
     */
    public function create(array $body, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/reports', body: $body, wait: $wait, options: $options);
    }

    /**
     * Fetch a report. `GET /v4/reports/{id}`
     *
     * @return Report
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/reports/' . rawurlencode($id), options: $options);
    }

    /**
     * Make a link to the file of a report that is good for 15 minutes, without a key. `POST /v4/reports/{id}/link`
     *
     * @return ReportLink
     */
    public function createLink(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/reports/' . rawurlencode($id) . '/link', options: $options);
    }
}
