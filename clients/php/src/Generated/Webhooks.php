<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type CreateWebhookEndpoint from Types
 * @phpstan-import-type DeliveryDetails from Types
 * @phpstan-import-type EnabledWebhookEndpoint from Types
 * @phpstan-import-type NewWebhookEndpoint from Types
 * @phpstan-import-type ReplayEvents from Types
 * @phpstan-import-type RotateSecret from Types
 * @phpstan-import-type UpdateWebhookEndpoint from Types
 * @phpstan-import-type WebhookDelivery from Types
 * @phpstan-import-type WebhookEndpoint from Types
 * @phpstan-import-type WebhookMissed from Types
 * @phpstan-import-type WebhookReplay from Types
 */
final class Webhooks
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List webhook endpoints, newest first. `GET /v4/webhooks`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: 'enabled'|'disabled',
     * } $query
     * @return Pages<WebhookEndpoint>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/webhooks', query: $query, options: $options);
    }

    /**
     * Register an address that is told of events. `POST /v4/webhooks`
     *
     * @param CreateWebhookEndpoint $body
     * @return NewWebhookEndpoint
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/webhooks', body: $body, options: $options);
    }

    /**
     * Fetch a delivery and its attempts. `GET /v4/webhooks/deliveries/{id}`
     *
     * @return DeliveryDetails
     */
    public function getDelivery(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/webhooks/deliveries/' . rawurlencode($id), options: $options);
    }

    /**
     * Send the event of a delivery to its webhook endpoint again, at once. `POST /v4/webhooks/deliveries/{id}/retry`
     *
     * @return DeliveryDetails
     */
    public function retryDelivery(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/webhooks/deliveries/' . rawurlencode($id) . '/retry', options: $options);
    }

    /**
     * Fetch a webhook endpoint. `GET /v4/webhooks/{id}`
     *
     * @return WebhookEndpoint
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/webhooks/' . rawurlencode($id), options: $options);
    }

    /**
     * Change a webhook endpoint. `PATCH /v4/webhooks/{id}`
     *
     * @param UpdateWebhookEndpoint $body
     * @return WebhookEndpoint
     */
    public function update(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('PATCH', '/v4/webhooks/' . rawurlencode($id), body: $body, options: $options);
    }

    /**
     * Delete a webhook endpoint for good. `DELETE /v4/webhooks/{id}`
     *
     * @return WebhookEndpoint
     */
    public function delete(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('DELETE', '/v4/webhooks/' . rawurlencode($id), options: $options);
    }

    /**
     * List the deliveries to a webhook endpoint, newest first. `GET /v4/webhooks/{id}/deliveries`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: 'pending'|'retrying'|'delivered'|'exhausted'|'disabled'|'aborted',
     *   event_id?: string,
     *   type?: string,
     *   http_status?: string,
     * } $query
     * @return Pages<WebhookDelivery>
     */
    public function listDeliveries(string $id, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/webhooks/' . rawurlencode($id) . '/deliveries', query: $query, options: $options);
    }

    /**
     * Send nothing but replays and tests to a webhook endpoint. `POST /v4/webhooks/{id}/disable`
     *
     * @return WebhookEndpoint
     */
    public function disable(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/webhooks/' . rawurlencode($id) . '/disable', options: $options);
    }

    /**
     * Send to a disabled webhook endpoint again; tells what it missed. `POST /v4/webhooks/{id}/enable`
     *
     * @return EnabledWebhookEndpoint
     */
    public function enable(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/webhooks/' . rawurlencode($id) . '/enable', options: $options);
    }

    /**
     * Count what a webhook endpoint did not get since it began to fail, or was disabled. `GET /v4/webhooks/{id}/missed`
     *
     * @return WebhookMissed
     */
    public function getMissedEvents(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/webhooks/' . rawurlencode($id) . '/missed', options: $options);
    }

    /**
     * Send events of a time to a webhook endpoint again, also to a disabled one. `POST /v4/webhooks/{id}/replay`
     *
     * @param ReplayEvents $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @return WebhookReplay
     */
    public function replay(string $id, array $body, bool $dryRun = false, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/webhooks/' . rawurlencode($id) . '/replay', body: $body, dryRun: $dryRun, options: $options);
    }

    /**
     * Give a webhook endpoint a new secret; both sign for a while. `POST /v4/webhooks/{id}/rotate-secret`
     *
     * @param RotateSecret $body
     * @return NewWebhookEndpoint
     */
    public function rotateSecret(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/webhooks/' . rawurlencode($id) . '/rotate-secret', body: $body, options: $options);
    }

    /**
     * Send an event `webhook_endpoint.test` to a webhook endpoint. `POST /v4/webhooks/{id}/test`
     *
     * @return DeliveryDetails
     */
    public function test(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/webhooks/' . rawurlencode($id) . '/test', options: $options);
    }
}
