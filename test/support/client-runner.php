<?php

// Does with the PHP client what test/support/client-runner.ts asks for, a line of JSON each.

declare(strict_types=1);

use Duka\CallOptions;
use Duka\Duka;
use Duka\DukaAbortedError;
use Duka\DukaConnectionError;
use Duka\DukaError;
use Duka\DukaTimeoutError;
use Duka\EventOrder;
use Duka\Webhook;
use Duka\WebhookVerificationError;

require getcwd() . '/vendor/autoload.php';
// Warnings are faults, too.
set_error_handler(fn (int $level, string $text) => throw new \ErrorException($text, 0, $level));

const OF_THE_METHOD = ['dryRun' => true, 'wait' => true];

function camel(string $name): string
{
    return lcfirst(str_replace('_', '', ucwords($name, '_')));
}

function camelKeys(array $fields): array
{
    return array_combine(array_map(camel(...), array_keys($fields)), $fields);
}

function call(array $asked): mixed
{
    $duka = new Duka(...camelKeys($asked['client']));
    $options = camelKeys($asked['options']);
    $end = hrtime(true) + ($options['abortAfterMs'] ?? 0) * 1_000_000;
    if (isset($options['abortAfterMs'])) {
        $options['isAborted'] = fn (): bool => hrtime(true) > $end;
    }
    unset($options['abortAfterMs']);
    $sent = $asked['arguments'];
    while ($sent !== [] && end($sent) === null) {
        array_pop($sent);
    }
    $named = array_intersect_key($options, OF_THE_METHOD);
    $named['options'] = new CallOptions(...array_diff_key($options, OF_THE_METHOD));
    $answer = $duka->{camel($asked['resource'])}->{camel($asked['name'])}(...$sent, ...$named);
    return match ($asked['take']) {
        'answer' => $answer,
        'page' => $answer->page(),
        // By its keys, which must go on from page to page.
        'items' => array_values(iterator_to_array($answer)),
    };
}

function verify(array $message): array
{
    ['body' => $body, 'headers' => $headers, 'secrets' => $secrets] = $message;
    $forms = [
        $headers,
        array_combine(array_map(fn (string $name) => ucwords($name, '-'), array_keys($headers)), $headers),
        array_map(fn (string $value) => [$value], $headers),
    ];
    $tolerance = isset($message['tolerance_seconds']) ? ['toleranceSeconds' => $message['tolerance_seconds']] : [];
    $told = array_map(
        fn (array $form) => told(
            fn () => Webhook::verify($body, $form, count($secrets) > 1 ? $secrets : $secrets[0], ...$tolerance),
        ),
        $forms,
    );
    return $told[0] == $told[1] && $told[1] == $told[2] ? $told[0] : throw new \LogicException('forms differ');
}

function order(array $asked): array
{
    $order = new EventOrder();
    $copies = [];
    $got = [];
    foreach ($asked['sequence'] as $at) {
        $event = $asked['events'][$at];
        $object = $event['data']['object'];
        $isNewer = Webhook::isNewer($copies[$object['id']] ?? null, $event);
        if ($isNewer) {
            $copies[$object['id']] = $object;
        }
        $got[] = [$order->accept($event), $isNewer];
    }
    return $got;
}

function told(\Closure $do): array
{
    try {
        return ['got' => $do()];
    } catch (DukaError | DukaConnectionError | DukaAbortedError | WebhookVerificationError $error) {
        $kind = match ($error::class) {
            DukaError::class => 'api',
            DukaTimeoutError::class => 'timeout',
            DukaConnectionError::class => 'connection',
            DukaAbortedError::class => 'aborted',
            WebhookVerificationError::class => 'webhook',
        };
        $failed = ['kind' => $kind, 'message' => $error->getMessage()];
        foreach (get_object_vars($error) as $name => $value) {
            $failed[$name === 'errorCode' ? 'code' : strtolower(preg_replace('/[A-Z]/', '_$0', $name))] = $value;
        }
        return ['failed' => $failed];
    }
}

// A socket, on which PHP waits for a minute only: other languages may have their turn before.
stream_set_timeout(STDIN, 3600);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    $told = match ($asked['do']) {
        'call' => told(fn () => call($asked)),
        'verify' => verify($asked),
        'order' => ['got' => order($asked)],
    };
    fwrite(STDOUT, json_encode($told, JSON_THROW_ON_ERROR) . "\n");
}
