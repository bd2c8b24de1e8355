<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type DeliveryDetails from Types
 * @phpstan-import-type Event from Types
 */
final class Events
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List events, newest first, or follow them in the order of commits. `GET /v4/events`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   type?: string,
     *   created_gte?: string,
     *   created_lt?: string,
     *   order?: 'asc'|'desc',
     *   after?: string,
     *   delivery_success?: bool,
     * } $query
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return Pages<Event>
     */
    public function list(array $query = [], ?int $wait = null, ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/events', query: $query, wait: $wait, options: $options);
    }

    /**
     * Fetch an event. `GET /v4/events/{id}`
     *
     * @return Event
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/events/' . rawurlencode($id), options: $options);
    }

    /**
     * List the deliveries of an event to all webhook endpoints, newest first. `GET /v4/events/{id}/deliveries`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     * } $query
     * @return Pages<DeliveryDetails>
     */
    public function listDeliveries(string $id, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/events/' . rawurlencode($id) . '/deliveries', query: $query, options: $options);
    }
}
