<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type CreateDispute from Types
 * @phpstan-import-type Dispute from Types
 */
final class CardTransactions
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * Dispute what was paid by card, or a part of it. `POST /v4/card-transactions/{id}/disputes`
     *
     * @param CreateDispute $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return Dispute
     */
    public function createDispute(string $id, array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/card-transactions/' . rawurlencode($id) . '/disputes', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }
}
