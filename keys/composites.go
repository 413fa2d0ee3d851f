package keys

// Composite0 is a key without placeholders.
type Composite0 struct{ base }

// Literal is the key that is always the same text, such as PROFILE or META. It
// panics with a *TemplateError where the text is no template without
// placeholders.
func Literal(text string) Composite0 {
	return must(compileWith(text, func(b base) Composite0 { return Composite0{b} }))
}

// Key gives the one key.
func (c Composite0) Key() Key { return c.begin().key() }

// Parse checks that text is the key.
func (c Composite0) Parse(text string) error {
	p := c.parser(text)
	return p.end()
}

// compileWith compiles a template and wraps it in its composite.
func compileWith[C any](template string, wrap func(base) C, segments ...segment) (C, error) {
	l, err := compile(template, segments...)
	if err != nil {
		return *new(C), err
	}
	return wrap(base{lay: l, prefix: l.literals[0]}), nil
}

// must is for declarations: what is wrong with one is found when a program
// starts.
func must[C any](c C, err error) C {
	if err != nil {
		panic(err)
	}
	return c
}

// Composite1 is a composite key with one placeholder open.
type Composite1[A any] struct{ head[A] }

// Compile1 compiles a template with one placeholder. What is wrong with it, or
// with a codec, is a *TemplateError.
func Compile1[A any](template string, a Codec[A]) (Composite1[A], error) {
	return compileWith(template, func(z base) Composite1[A] { return Composite1[A]{head[A]{z}} },
		newSeg(a))
}

// MustCompile1 is Compile1 for variables of a package: it panics where the
// template cannot be compiled.
func MustCompile1[A any](template string, a Codec[A]) Composite1[A] {
	return must(Compile1(template, a))
}

// Key gives the full key.
func (z Composite1[A]) Key(a A) Key {
	x := z.begin()
	set(x, z.given, a)
	return x.key()
}

// At gives the value: it is Key.
func (z Composite1[A]) At(a A) Key { return z.Key(a) }

// Parse reads a whole key and gives the values that are open. Text that is not a
// key of the template, or not in the form in which it is written, is an *Error.
func (z Composite1[A]) Parse(text string) (a A, err error) {
	p := z.parser(text)
	a = next[A](&p)
	if err = p.end(); err != nil {
		return *new(A), err
	}
	return a, nil
}

// Composite2 is a composite key with two placeholders open.
type Composite2[A, B any] struct{ head[A] }

// Compile2 compiles a template with two placeholders. What is wrong with it, or
// with a codec, is a *TemplateError.
func Compile2[A, B any](template string, a Codec[A], b Codec[B]) (Composite2[A, B], error) {
	return compileWith(template, func(z base) Composite2[A, B] { return Composite2[A, B]{head[A]{z}} },
		newSeg(a), newSeg(b))
}

// MustCompile2 is Compile2 for variables of a package: it panics where the
// template cannot be compiled.
func MustCompile2[A, B any](template string, a Codec[A], b Codec[B]) Composite2[A, B] {
	return must(Compile2(template, a, b))
}

// Key gives the full key.
func (z Composite2[A, B]) Key(a A, b B) Key {
	x := z.begin()
	set(x, z.given, a)
	set(x, z.given+1, b)
	return x.key()
}

// At gives the first value and returns the composite of the rest.
func (z Composite2[A, B]) At(a A) Composite1[B] {
	return Composite1[B]{head[B]{z.at(a)}}
}

// Parse reads a whole key and gives the values that are open. Text that is not a
// key of the template, or not in the form in which it is written, is an *Error.
func (z Composite2[A, B]) Parse(text string) (a A, b B, err error) {
	p := z.parser(text)
	a = next[A](&p)
	b = next[B](&p)
	if err = p.end(); err != nil {
		return *new(A), *new(B), err
	}
	return a, b, nil
}

// Composite3 is a composite key with three placeholders open.
type Composite3[A, B, C any] struct{ head[A] }

// Compile3 compiles a template with three placeholders. What is wrong with it, or
// with a codec, is a *TemplateError.
func Compile3[A, B, C any](template string, a Codec[A], b Codec[B], c Codec[C]) (Composite3[A, B, C], error) {
	return compileWith(template, func(z base) Composite3[A, B, C] { return Composite3[A, B, C]{head[A]{z}} },
		newSeg(a), newSeg(b), newSeg(c))
}

// MustCompile3 is Compile3 for variables of a package: it panics where the
// template cannot be compiled.
func MustCompile3[A, B, C any](template string, a Codec[A], b Codec[B], c Codec[C]) Composite3[A, B, C] {
	return must(Compile3(template, a, b, c))
}

// Key gives the full key.
func (z Composite3[A, B, C]) Key(a A, b B, c C) Key {
	x := z.begin()
	set(x, z.given, a)
	set(x, z.given+1, b)
	set(x, z.given+2, c)
	return x.key()
}

// At gives the first value and returns the composite of the rest.
func (z Composite3[A, B, C]) At(a A) Composite2[B, C] {
	return Composite2[B, C]{head[B]{z.at(a)}}
}

// Parse reads a whole key and gives the values that are open. Text that is not a
// key of the template, or not in the form in which it is written, is an *Error.
func (z Composite3[A, B, C]) Parse(text string) (a A, b B, c C, err error) {
	p := z.parser(text)
	a = next[A](&p)
	b = next[B](&p)
	c = next[C](&p)
	if err = p.end(); err != nil {
		return *new(A), *new(B), *new(C), err
	}
	return a, b, c, nil
}

// Composite4 is a composite key with four placeholders open.
type Composite4[A, B, C, D any] struct{ head[A] }

// Compile4 compiles a template with four placeholders. What is wrong with it, or
// with a codec, is a *TemplateError.
func Compile4[A, B, C, D any](template string, a Codec[A], b Codec[B], c Codec[C], d Codec[D]) (Composite4[A, B, C, D], error) {
	return compileWith(template, func(z base) Composite4[A, B, C, D] { return Composite4[A, B, C, D]{head[A]{z}} },
		newSeg(a), newSeg(b), newSeg(c), newSeg(d))
}

// MustCompile4 is Compile4 for variables of a package: it panics where the
// template cannot be compiled.
func MustCompile4[A, B, C, D any](template string, a Codec[A], b Codec[B], c Codec[C], d Codec[D]) Composite4[A, B, C, D] {
	return must(Compile4(template, a, b, c, d))
}

// Key gives the full key.
func (z Composite4[A, B, C, D]) Key(a A, b B, c C, d D) Key {
	x := z.begin()
	set(x, z.given, a)
	set(x, z.given+1, b)
	set(x, z.given+2, c)
	set(x, z.given+3, d)
	return x.key()
}

// At gives the first value and returns the composite of the rest.
func (z Composite4[A, B, C, D]) At(a A) Composite3[B, C, D] {
	return Composite3[B, C, D]{head[B]{z.at(a)}}
}

// Parse reads a whole key and gives the values that are open. Text that is not a
// key of the template, or not in the form in which it is written, is an *Error.
func (z Composite4[A, B, C, D]) Parse(text string) (a A, b B, c C, d D, err error) {
	p := z.parser(text)
	a = next[A](&p)
	b = next[B](&p)
	c = next[C](&p)
	d = next[D](&p)
	if err = p.end(); err != nil {
		return *new(A), *new(B), *new(C), *new(D), err
	}
	return a, b, c, d, nil
}

// Composite5 is a composite key with five placeholders open.
type Composite5[A, B, C, D, E any] struct{ head[A] }

// Compile5 compiles a template with five placeholders. What is wrong with it, or
// with a codec, is a *TemplateError.
func Compile5[A, B, C, D, E any](template string, a Codec[A], b Codec[B], c Codec[C], d Codec[D], e Codec[E]) (Composite5[A, B, C, D, E], error) {
	return compileWith(template, func(z base) Composite5[A, B, C, D, E] { return Composite5[A, B, C, D, E]{head[A]{z}} },
		newSeg(a), newSeg(b), newSeg(c), newSeg(d), newSeg(e))
}

// MustCompile5 is Compile5 for variables of a package: it panics where the
// template cannot be compiled.
func MustCompile5[A, B, C, D, E any](template string, a Codec[A], b Codec[B], c Codec[C], d Codec[D], e Codec[E]) Composite5[A, B, C, D, E] {
	return must(Compile5(template, a, b, c, d, e))
}

// Key gives the full key.
func (z Composite5[A, B, C, D, E]) Key(a A, b B, c C, d D, e E) Key {
	x := z.begin()
	set(x, z.given, a)
	set(x, z.given+1, b)
	set(x, z.given+2, c)
	set(x, z.given+3, d)
	set(x, z.given+4, e)
	return x.key()
}

// At gives the first value and returns the composite of the rest.
func (z Composite5[A, B, C, D, E]) At(a A) Composite4[B, C, D, E] {
	return Composite4[B, C, D, E]{head[B]{z.at(a)}}
}

// Parse reads a whole key and gives the values that are open. Text that is not a
// key of the template, or not in the form in which it is written, is an *Error.
func (z Composite5[A, B, C, D, E]) Parse(text string) (a A, b B, c C, d D, e E, err error) {
	p := z.parser(text)
	a = next[A](&p)
	b = next[B](&p)
	c = next[C](&p)
	d = next[D](&p)
	e = next[E](&p)
	if err = p.end(); err != nil {
		return *new(A), *new(B), *new(C), *new(D), *new(E), err
	}
	return a, b, c, d, e, nil
}

// Composite6 is a composite key with six placeholders open.
type Composite6[A, B, C, D, E, F any] struct{ head[A] }

// Compile6 compiles a template with six placeholders. What is wrong with it, or
// with a codec, is a *TemplateError.
func Compile6[A, B, C, D, E, F any](template string, a Codec[A], b Codec[B], c Codec[C], d Codec[D], e Codec[E], f Codec[F]) (Composite6[A, B, C, D, E, F], error) {
	return compileWith(template, func(z base) Composite6[A, B, C, D, E, F] { return Composite6[A, B, C, D, E, F]{head[A]{z}} },
		newSeg(a), newSeg(b), newSeg(c), newSeg(d), newSeg(e), newSeg(f))
}

// MustCompile6 is Compile6 for variables of a package: it panics where the
// template cannot be compiled.
func MustCompile6[A, B, C, D, E, F any](template string, a Codec[A], b Codec[B], c Codec[C], d Codec[D], e Codec[E], f Codec[F]) Composite6[A, B, C, D, E, F] {
	return must(Compile6(template, a, b, c, d, e, f))
}

// Key gives the full key.
func (z Composite6[A, B, C, D, E, F]) Key(a A, b B, c C, d D, e E, f F) Key {
	x := z.begin()
	set(x, z.given, a)
	set(x, z.given+1, b)
	set(x, z.given+2, c)
	set(x, z.given+3, d)
	set(x, z.given+4, e)
	set(x, z.given+5, f)
	return x.key()
}

// At gives the first value and returns the composite of the rest.
func (z Composite6[A, B, C, D, E, F]) At(a A) Composite5[B, C, D, E, F] {
	return Composite5[B, C, D, E, F]{head[B]{z.at(a)}}
}

// Parse reads a whole key and gives the values that are open. Text that is not a
// key of the template, or not in the form in which it is written, is an *Error.
func (z Composite6[A, B, C, D, E, F]) Parse(text string) (a A, b B, c C, d D, e E, f F, err error) {
	p := z.parser(text)
	a = next[A](&p)
	b = next[B](&p)
	c = next[C](&p)
	d = next[D](&p)
	e = next[E](&p)
	f = next[F](&p)
	if err = p.end(); err != nil {
		return *new(A), *new(B), *new(C), *new(D), *new(E), *new(F), err
	}
	return a, b, c, d, e, f, nil
}
