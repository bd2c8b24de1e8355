import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CannotStart } from '../errors/cannot-start';
import { SecretBox } from './secret-box';

/** A box in the database that says whether this process has the key of all the others. */
const CHECK = 'secrets_check';
const FIND = 'SELECT box FROM secrets_check';
const ADD = `INSERT INTO secrets_check (name, box) VALUES ('${CHECK}', $1) ON CONFLICT DO NOTHING`;

@Global()
@Module({ providers: [SecretBox], exports: [SecretBox] })
export class SecretsModule implements OnModuleInit {
  constructor(
    private readonly box: SecretBox,
    private readonly dataSource: DataSource,
  ) {}

  /** With another key the process would seal what nobody else can open, and fail at what is sealed already. */
  async onModuleInit(): Promise<void> {
    await this.dataSource.query(ADD, [this.box.seal(CHECK, CHECK)]);
    const [found]: { box: Buffer }[] = await this.dataSource.query(FIND);
    try {
      this.box.open(found!.box, CHECK);
    } catch (error) {
      throw new CannotStart(
        'SECRETS_KEY is not the key with which this database was sealed. Set that one, or both as ' +
          'SECRETS_KEYS=new,old.',
        { cause: error },
      );
    }
  }
}
