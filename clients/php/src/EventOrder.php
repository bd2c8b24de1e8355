<?php

declare(strict_types=1);

namespace Duka;

/** Lets each version of an object through once, and none behind a newer one. Remembers in memory. */
final class EventOrder
{
    /** @var array<string, array<string, mixed>> */
    private array $kept = [];

    /**
     * False: drop the event.
     *
     * @param array<string, mixed> $event
     */
    public function accept(array $event): bool
    {
        $object = $event['data']['object'];
        // What has no id is nothing that changes.
        if (!is_string($object['id'] ?? null)) {
            return true;
        }
        if (!Webhook::isNewer($this->kept[$object['id']] ?? null, $event)) {
            return false;
        }
        $this->kept[$object['id']] = ['version' => $object['version'] ?? null];
        return true;
    }
}
