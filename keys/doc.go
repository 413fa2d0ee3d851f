// Package keys builds the composite keys of a single-table DynamoDB design,
// and the ranges that are read by them.
//
// A key is declared once, as the text that a designer would write on a
// whiteboard, with a codec for each placeholder:
//
//	var Order = keys.MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>",
//		keys.Enum(Open, Done), keys.Day, keys.String)
//
// From then on the compiler knows what the key is made of. Values are given
// from left to right, because that is the only way in which a composite key
// narrows: there is no way to write a range over the date without having given
// the status.
//
//	Order.Key(Open, day, "w-2314")              // one key
//	Order.At(Open).All()                        // everything that is OPEN
//	Order.At(Open).Between(from, to)            // both days included, in OPEN alone
//	Order.At(Open).At(day).StartsWith("w-")     // ids that begin so, on one day
//	status, day, id, err := Order.Parse(text)   // and back
//
// # Templates
//
// A template is literal text and <name> placeholders. A name is the attribute
// that the value comes from, and stands once. Two placeholders never touch. The
// byte that follows a placeholder is the delimiter of the template, the same
// throughout; where nothing follows one, it is the punctuation right before it;
// it is # where there is none. A delimiter is printable ASCII, no letter, no
// digit, and not %, < or >.
//
// Literals are written as they are. A byte at or below % that is not the
// delimiter, and anything from U+FFFE up, is refused in them: it would sort
// where no range expects it.
//
// # Encoding
//
// Values are written so that the text of a key can be read back, so that
// different values have different keys, and so that keys sort, byte by byte, as
// their values do, field by field. DynamoDB sorts strings by their UTF-8 bytes
// (developer guide, "Supported data types and naming rules").
//
// In a segment of variable width the bytes 0x00 to 0x25 are written %XX, and so
// is the delimiter. % is 0x25: an escaped byte keeps its place below every byte
// that is written raw. U+FFFE, U+FFFF and every character above the basic
// multilingual plane are written as U+FFFE and six hexadecimal digits, which
// keeps their order and keeps every key below the bound U+FFFF.
//
// A codec with a method Width is written as it is and read back by its width.
// [Verbatim] is written as it is, without the delimiter.
//
// All this holds for canonical values. What a codec narrows (an instant that is
// cut to its precision, a string that is folded) is the value that is stored,
// read, compared and bounded.
//
// A delimiter above % cannot be escaped and keep the order. An ordered range
// over a segment of variable width is an error in such a template
// ([ErrUnordered]), not a wrong answer.
//
// The bytes of a codec never change from one version of this package to the
// next.
//
// # Ranges
//
// P is everything before the open segment, L the literal that follows it, D the
// delimiter, M the greatest character that fits into the 1024 bytes that
// DynamoDB allows a sort key (developer guide, "Quotas"): U+FFFF, else U+07FF, else 0x7F, else nothing.
//
//	range            lower, not last  lower, last  upper, not last  upper, last
//	All              begins_with P (no condition when P is empty)
//	Between(lo, hi)  P lo L           P lo         P hi L M         P hi
//	Within(lo, hi)   P lo L           P lo         below P hi       below P hi
//	From(lo)         P lo L           P lo         P M              P M
//	After(lo)        P lo D M         P lo, next   P M              P M
//	To(hi)           P                P            P hi L M         P hi
//	Before(hi)       P                P            below P hi       below P hi
//	Key.Tree         k                             k D M
//
// Last is a segment that nothing follows. Below is the greatest text below the one
// that is named. Next is the byte after D, and U+0000 where a longer value may go
// on with any byte: where D is above %, or the segment is [Verbatim]. It is also
// what After sends where D M does not fit: M is then no more above every key that
// it has to be above.
//
// A range is always sent as one condition on the sort key. It reads nothing that
// it does not return, but keys of templates that extend this one (A#<x>#B#<y>
// beside A#<x>). A bound that no sort key can be as long as is [ErrTooLong].
//
// # Errors
//
// An error that is made while composing travels in the value, as in
// bufio.Scanner, so that chains stay readable: Key.Err and Range.Err tell it, and
// everything that takes the value returns it before anything is sent. Such an
// error is an [*Error], which names the template, the placeholder, the offset
// and the value, and wraps one of the sentinels of this package or what the codec
// said.
//
// Keys, ranges and composites are immutable values, safe to copy and safe for
// concurrent use.
package keys
