import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import { Directory } from '#people';
import { integer, list, object } from '#wire';
import type { User } from '../model/user.js';
import { ChangeProfileFieldsCommand } from './change-profile-fields.js';
import { ChangeFieldParams, CreateFieldParams, OrderFieldsParams } from './profile.params.js';
import { ProfileFieldSchema, type WireProfileField, wireProfileFields } from './wire-profile.js';

/** Fields of people's profiles (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm/profile_fields')
export class ProfileFieldsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  @Get()
  @Answers(object({ custom_fields: list(ProfileFieldSchema) }))
  @Summary('List the fields of profiles', 'In their order.')
  list(): { custom_fields: WireProfileField[] } {
    return { custom_fields: wireProfileFields(this.directory.profileFields.fields, true) };
  }

  @Post()
  @Answers(object({ id: integer }))
  @Summary('Create a field of profiles', 'For administrators.')
  async create(@Caller() actor: User, @Params(CreateFieldParams) params: CreateFieldParams): Promise<{ id: number }> {
    const { field_type: fieldType, name = '', hint = '', field_data: data } = params;
    const asked = {
      name,
      hint,
      data,
      isInSummary: params.display_in_profile_summary ?? false,
      isRequired: params.required ?? false,
      isEditable: params.editable_by_user ?? true,
    };
    const request = { type: 'create-field', fieldType, asked } as const;
    const [created] = await this.commands.execute(new ChangeProfileFieldsCommand(actor, request));
    if (created?.type !== 'profile-field.created.v1') throw new Error('A field was accepted and not created.');
    return { id: created.data.fieldId };
  }

  @Patch()
  @Answers()
  @Summary('Order the fields of profiles', 'Every one is named once. For administrators.')
  async order(@Caller() actor: User, @Params(OrderFieldsParams) { order }: OrderFieldsParams): Promise<void> {
    await this.commands.execute(new ChangeProfileFieldsCommand(actor, { type: 'order-fields', fieldIds: order }));
  }

  @Patch(':field_id')
  @Answers()
  @Summary('Change a field of profiles', 'For administrators.')
  async change(
    @Caller() actor: User,
    @PathId('field_id') fieldId: number,
    @Params(ChangeFieldParams) params: ChangeFieldParams,
  ): Promise<void> {
    const { name, hint, field_data: data } = params;
    const asked = {
      name,
      hint,
      data,
      isInSummary: params.display_in_profile_summary,
      isRequired: params.required,
      isEditable: params.editable_by_user,
    };
    await this.commands.execute(new ChangeProfileFieldsCommand(actor, { type: 'change-field', fieldId, asked }));
  }

  @Delete(':field_id')
  @Answers()
  @Summary('Remove a field of profiles', "And everybody's values of it. For administrators.")
  async remove(@Caller() actor: User, @PathId('field_id') fieldId: number): Promise<void> {
    await this.commands.execute(new ChangeProfileFieldsCommand(actor, { type: 'remove-field', fieldId }));
  }
}
