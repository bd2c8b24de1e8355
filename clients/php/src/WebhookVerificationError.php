<?php

declare(strict_types=1);

namespace Duka;

final class WebhookVerificationError extends \RuntimeException
{
    /**
     * @internal
     * @param 'missing_header'|'too_old'|'too_new'|'wrong_signature' $reason
     */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
