package cases

import "strings"

// A Difference is a way in which an emulator is known to answer otherwise than
// the service, with the cases that show it.
type Difference struct {
	Reason string
	Cases  string // names of subtests, separated by space
}

// Dynoxide lists where Dynoxide 1.2.1 differs. The service wins: the cases state
// what the service answers.
var Dynoxide = []Difference{
	{"Syntax errors are told in words of its own, without token and near.",
		`conditions/in_empty conditions/incomplete conditions/operand_alone conditions/double_equals conditions/exclamation
			conditions/unclosed conditions/chained_comparison conditions/literal_number conditions/index_negative
			conditions/index_by_value conditions/trailing_dot conditions/bad_character updates/trailing_comma
			updates/set_without_value updates/add_of_a_path projections/trailing_comma projections/no_comma projections/value
			projections/function queries/syntax`},
	{"Wrong numbers and kinds of operands are told as syntax errors in words of its own.",
		`conditions/too_few_operands conditions/too_many_operands conditions/exists_of_a_value conditions/not_exists_of_a_value
			conditions/size_alone conditions/function_as_operand conditions/size_of_a_number_value updates/list_append_operands`},
	{"Operand types of conditions are not checked before the item is read.",
		`conditions/between_of_a_set conditions/attribute_type_unknown conditions/attribute_type_of_a_number
			conditions/order_of_a_list conditions/order_of_a_boolean conditions/order_of_null conditions/order_of_a_set
			conditions/order_of_a_map conditions/same_operand_twice`},
	{"Undefined names and values, and bounds of BETWEEN, are told without the parameter's name in front.",
		`conditions/undefined_alias conditions/undefined_value conditions/between_bounds_swapped
			conditions/between_bounds_of_two_types queries/undefined_value queries/undefined_alias queries/reserved_word`},
	{"Function names are matched in any case.",
		`conditions/function_names_have_case`},
	{"A list that is set past its end is filled up with NULL; the service appends.",
		`updates/set_past_the_end_appends updates/set_two_past_the_end`},
	{"Removing two elements counts the second position after the first removal.",
		`updates/remove_two_elements`},
	{"UPDATED_NEW and UPDATED_OLD of a list element return the whole list.",
		`updates/returns_updated_new_element`},
	{"ALL_OLD of an update that creates returns the key; the service returns nothing.",
		`updates/returns_old_of_absent`},
	{"An update that only takes away creates an item of the bare key.",
		`updates/remove_alone_creates_nothing updates/remove_below_nothing_of_an_absent_item updates/delete_alone_creates_nothing`},
	{"Types that an update gives to index keys are checked when the item has been read, all in one wording.",
		`indexes/index_key_of_another_type_by_update_and_a_condition_that_fails indexes/index_key_of_another_type_by_list_append
			indexes/index_key_of_another_type_by_path`},
	{"DeleteItem has an enumeration of its own for ReturnValues.",
		`items/delete_returns_new`},
	{"Removing below an absent attribute succeeds.",
		`updates/remove_through_absent`},
	{"Operands of the wrong type in the item are told in words of its own.",
		`updates/plus_of_a_string_attribute updates/list_append_of_a_string_attribute`},
	{"Operand types of + and list_append are spelt out (STRING), as ADD's and DELETE's are; the service abbreviates (S).",
		`updates/plus_of_a_string_value updates/list_append_of_a_string_value`},
	{"Paths that conflict as map and list are not noticed.",
		`updates/map_and_list_path projections/map_and_list_path`},
	{"Names of names and values are not checked.",
		`parameters/alias_of_the_mark_alone parameters/alias_with_a_dash parameters/value_with_a_dash`},
	{"Limits of expressions other than their length are not checked.",
		`limits/in_of_101 limits/301_operators limits/path_of_33_segments`},
	{"The capacity of a read is that of its projection; the service counts the items.",
		`limits/item_of_400_KB capacity/read_with_projection`},
	{"Conditions on keys are read by a parser of its own, which wants the partition key first and tells what it refuses in its own words.",
		`queries/sort_key_first queries/another_attribute_without_sort_key queries/range_of_the_partition_key
			queries/begins_with_on_the_partition_key queries/between_on_the_partition_key queries/not_equal queries/or queries/not
			queries/in queries/contains queries/attribute_exists queries/size queries/two_conditions_on_the_sort_key
			queries/two_attributes_in_one_condition queries/no_attribute_in_a_condition queries/begins_with_value_first
			queries/between_value_first`},
	{"Types and emptiness of the operands of key conditions are not checked.",
		`queries/begins_with_of_a_number queries/begins_with_of_the_empty_string queries/empty_partition_key
			queries/empty_sort_key queries/partition_key_of_another_type queries/sort_key_of_another_type`},
	{"A start key outside of the query is accepted.",
		`queries/start_key_of_another_partition queries/start_key_outside_the_range`},
	{"The item that passes 1 MB is counted as scanned and left out; the service returns it.",
		`queries/page_of_1_MB`},
	{"The range of TotalSegments is told in words of its own.",
		`scans/no_segments scans/too_many_segments`},
	{"A projection below a key is accepted.",
		`projections/below_a_key`},
	{"A projection of what a global index lacks is accepted.",
		`indexes/projection_of_what_a_global_index_lacks`},
	{"A local index does not read from the table what its projection lacks.",
		`indexes/local_fetches_the_rest`},
	{"The sizes of index keys are not checked.",
		`indexes/index_key_too_long`},
	{"Keys of several attributes are accepted and only their first two are used.",
		`multi-attribute_keys/order multi-attribute_keys/backwards multi-attribute_keys/first_part_equal
			multi-attribute_keys/first_part_ranged multi-attribute_keys/second_part_ranged multi-attribute_keys/third_part_prefix
			multi-attribute_keys/all_parts_equal multi-attribute_keys/conditions_in_any_order multi-attribute_keys/pages
			multi-attribute_keys/sparse_by_partition_part multi-attribute_keys/sparse_by_first_part
			multi-attribute_keys/sparse_by_last_part multi-attribute_keys/part_of_another_type tables/five_partition_parts
			tables/partition_part_after_sort_part`},
	{"Some faults of form are told in words of its own.",
		`wire/no_batch wire/no_transaction batches/write_26_over_two_tables batches/get_101
			batches/get_101_over_two_tables batches/write_nothing batches/get_nothing_at_all`},
	{"Numbers that are equal and spelt differently are two keys in a batch.",
		`batches/get_twice_by_value`},
	{"Two actions in one element are accepted, and one is left undone.",
		`batches/put_and_delete_in_one transactions/two_actions_in_one`},
	{"A transactional read returns the key whatever the projection.",
		`transactions/get_with_projection`},
	{"A table without billing mode and throughput is accepted.",
		`tables/no_billing`},
	{"An attribute that the key of a new index redefines keeps its type.",
		`tables/redefine_the_key_of_a_new_index`},
	{"The backfill of a new index takes up attributes of another type.",
		`tables/backfill_leaves_out_what_does_not_fit`},
	{"Time to live can be switched to what it is.",
		`tables/ttl_twice tables/ttl_off_twice`},
}

// Reasons gives the reason for each case of a list of differences.
func Reasons(list []Difference) map[string]string {
	out := map[string]string{}
	for _, d := range list {
		for name := range strings.FieldsSeq(d.Cases) {
			out[name] = d.Reason
		}
	}
	return out
}
