import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Addresses for operators of the platform, which the process of `platform.ts` alone serves. */
export const PLATFORM_PATH = '/v4/platform/';

/** Who sends a request with a key of the platform. */
export interface OperatorCaller {
  /** The log-in that the key belongs to. */
  readonly userId: string;
  readonly email: string;
  readonly ip: string | null;
}

/** Whether a request is an operator's: by the route that was found, not by how its address is spelled. */
export const isForPlatform = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  routeOptions.url?.startsWith(PLATFORM_PATH) === true;

/** Null: the key opens nothing. */
type KeyReader = (secret: string) => Promise<Omit<OperatorCaller, 'ip'> | null>;

/** The one place where keys of the platform are believed, by whoever knows them. Closed as long as nobody does. */
@Injectable()
export class PlatformDoor {
  private reader: KeyReader = async () => null;

  keptBy(reader: KeyReader): void {
    this.reader = reader;
  }

  async admit(secret: string, ip: string): Promise<OperatorCaller | null> {
    const operator = await this.reader(secret);
    return operator && { ...operator, ip };
  }
}

/** The operator whose key it is. Only on routes below `PLATFORM_PATH`. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorCaller =>
    context.switchToHttp().getRequest<{ operator: OperatorCaller }>().operator,
);
