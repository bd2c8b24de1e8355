<?php

declare(strict_types=1);

namespace Duka;

/** No answer came within `timeoutMs`. */
final class DukaTimeoutError extends DukaConnectionError
{
}
