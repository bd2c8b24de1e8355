<?php

declare(strict_types=1);

namespace Duka;

use Duka\Generated\ErrorCode;

/** The service refused. `errorCode` never changes its meaning. */
final class DukaError extends \RuntimeException
{
    /** Of `ErrorCode`, or a newer one. */
    public readonly string $errorCode;
    public readonly ?string $requestId;
    /** The same request with the same key may be sent again. */
    public readonly bool $retryable;
    /** Who can make it succeed: retry_later, caller_must_fix, account_must_act, recipient_must_act or none. */
    public readonly ?string $recovery;
    /** JSON pointer to the field at fault. */
    public readonly ?string $param;
    /** @var list<array{param: string, code: string, detail: string}> */
    public readonly array $errors;
    /** What the request collided with. */
    public readonly ?string $resourceId;
    /** @var ?array<string, mixed> */
    public readonly ?array $provider;
    /** Seconds. */
    public readonly ?int $retryAfter;

    /**
     * @internal
     * @param array<string, string> $headers
     * @param array<string, mixed> $problem
     */
    public function __construct(public readonly int $status, array $headers, array $problem)
    {
        $text = fn (string $name): ?string => is_string($problem[$name] ?? null) ? $problem[$name] : null;
        $rows = fn (string $name): ?array => is_array($problem[$name] ?? null) ? $problem[$name] : null;
        parent::__construct($text('detail') ?? $text('title') ?? "The answer was $status.");
        $this->errorCode = $text('code') ?? "http_$status";
        $this->requestId = $text('request_id') ?? $headers['request-id'] ?? null;
        // Without a code it is of a proxy that did not reach the service.
        $isOfProxy = $text('code') === null && in_array($status, [502, 503, 504], true);
        $this->retryable = ($problem['retryable'] ?? $isOfProxy) === true;
        $this->recovery = $text('recovery');
        $this->param = $text('param');
        $this->errors = $rows('errors') ?? [];
        $this->resourceId = $text('resource_id');
        $this->provider = $rows('provider');
        $this->retryAfter = self::secondsOf($headers['retry-after'] ?? null);
    }

    /** `if ($error->is(ErrorCode::InsufficientFunds))`. */
    public function is(ErrorCode ...$codes): bool
    {
        return in_array(ErrorCode::tryFrom($this->errorCode), $codes, true);
    }

    private static function secondsOf(?string $header): ?int
    {
        if ($header === null || ctype_digit($header)) {
            return $header === null ? null : (int) $header;
        }
        $at = strtotime($header);
        return $at === false ? null : max(0, $at - time());
    }
}
