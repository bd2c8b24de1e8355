import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../../src/core/http/caller';
import { type List, Pages } from '../../../src/core/http/pages';
import { PageQuery } from '../../../src/core/http/query-fields';
import { Scope } from '../../../src/core/http/route-markers';
import { ContactDto, ContactListDto, SaveContactDto } from './contacts.dto';
import { ContactsService } from './contacts.service';

@ApiTags('Contacts')
@Controller('v4/contacts')
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly pages: Pages,
  ) {}

  @Put(':phone')
  @Scope('contacts:write')
  @ApiOperation({ operationId: 'save_contact', summary: 'Add a contact, or give it another name' })
  @ApiOkResponse({ type: ContactDto })
  async save(
    @CurrentCaller() caller: Caller,
    @Param('phone') phone: string,
    @Body() { name }: SaveContactDto,
  ): Promise<ContactDto> {
    return ContactDto.of(await this.contacts.save(caller, phone, name), caller.livemode);
  }

  @Get()
  @Scope('contacts:read')
  @ApiOperation({ operationId: 'list_contacts', summary: 'List contacts, by number' })
  @ApiOkResponse({ type: ContactListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<List<ContactDto>> {
    const page = this.pages.open(caller, 'growth_contacts', query);
    const rows = await this.contacts.list(caller, page.after?.[0] ?? null, page.take);
    return page.of(
      rows,
      (contact) => ContactDto.of(contact, caller.livemode),
      ({ phone }) => [phone],
    );
  }
}
