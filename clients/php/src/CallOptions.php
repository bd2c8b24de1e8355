<?php

declare(strict_types=1);

namespace Duka;

/** Of one call, by name: `new CallOptions(idempotencyKey: 'order-1')`. */
final class CallOptions
{
    /**
     * @param ?string $idempotencyKey one of your own; a new one is made when absent. Retries send the same
     * @param ?int $timeoutMs of each attempt
     * @param ?int $maxRetries how often the request is sent again
     * @param array<string, string> $headers
     * @param ?\Closure(): bool $isAborted asked while the call waits; `true` ends it
     */
    public function __construct(
        public readonly ?string $idempotencyKey = null,
        public readonly ?int $timeoutMs = null,
        public readonly ?int $maxRetries = null,
        public readonly array $headers = [],
        public readonly ?\Closure $isAborted = null,
    ) {
    }
}
