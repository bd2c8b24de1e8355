<?php

declare(strict_types=1);

namespace Duka;

use Duka\Generated\Types;

/** @phpstan-import-type WebhookEvent from Types */
final class Webhook
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * The event, if it was signed with one of the secrets (Standard Webhooks 1.0.0).
     *
     * @param string $rawBody the very bytes that came: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers `getallheaders()`, or those of a PSR-7 request
     * @param string|list<string> $secrets two: while one is replaced by the other
     * @param int $toleranceSeconds how far `webhook-timestamp` may be from now
     * @return WebhookEvent
     * @throws WebhookVerificationError
     */
    public static function verify(
        string $rawBody,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
    ): array {
        [$id, $timestamp, $signatures] = array_map(
            fn (string $name): string => self::valueOf($headers, "webhook-$name"),
            ['id', 'timestamp', 'signature'],
        );
        if ($id === '' || !ctype_digit($timestamp) || $signatures === '') {
            throw new WebhookVerificationError('missing_header', 'A header of the webhook is missing or malformed.');
        }
        $ageSeconds = time() - (int) $timestamp;
        if ($ageSeconds > $toleranceSeconds) {
            throw new WebhookVerificationError('too_old', 'The webhook is too old.');
        }
        if ($ageSeconds < -$toleranceSeconds) {
            throw new WebhookVerificationError('too_new', 'The webhook is of the future.');
        }
        foreach ((array) $secrets as $secret) {
            $expected = hash_hmac('sha256', "$id.$timestamp.$rawBody", self::keyOf($secret), true);
            foreach (explode(' ', $signatures) as $one) {
                $given = str_starts_with($one, 'v1,') ? base64_decode(substr($one, 3), true) : false;
                if ($given !== false && hash_equals($expected, $given)) {
                    return json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
                }
            }
        }
        throw new WebhookVerificationError(
            'wrong_signature',
            'No signature of the webhook is by a secret that is known.',
        );
    }

    /**
     * Whether the object of an event is newer than the copy that is kept of it.
     *
     * @param ?array<string, mixed> $kept
     * @param array<string, mixed> $event
     */
    public static function isNewer(?array $kept, array $event): bool
    {
        return $kept === null || self::versionOf($event['data']['object']) > self::versionOf($kept);
    }

    /** @param array<string, mixed> $object */
    private static function versionOf(array $object): int
    {
        return is_int($object['version'] ?? null) ? $object['version'] : -1;
    }

    /** @param array<string, string|list<string>> $headers */
    private static function valueOf(array $headers, string $name): string
    {
        return implode(' ', (array) (array_change_key_case($headers)[$name] ?? []));
    }

    private static function keyOf(#[\SensitiveParameter] string $secret): string
    {
        $bytes = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        return $bytes ?: throw new \InvalidArgumentException('A secret of a webhook is whsec_ and base64.');
    }
}
